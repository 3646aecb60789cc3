/** A new game: another start is shown as soon as it is chosen, with the seats that it has. */

const form = /** @type {HTMLFormElement} */ (document.getElementById("new"));

/** All that has been chosen, as the address of this page has it. */
function chosen() {
  const given = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (typeof value === "string" && value) given.set(name, value);
  return given;
}

for (const field of form.querySelectorAll("[data-start]")) {
  field.addEventListener("change", () => location.replace(`/new?${chosen()}`));
}
for (const link of form.querySelectorAll("a[href^='/new?']")) {
  link.addEventListener("click", (event) => {
    const rules = new URL(/** @type {HTMLAnchorElement} */ (link).href).searchParams.get("rules") ?? "";
    const given = chosen();
    for (const field of form.querySelectorAll("[data-start]")) given.delete(field.getAttribute("name") ?? "");
    given.set("rules", rules);
    event.preventDefault();
    location.replace(`/new?${given}`);
  });
}
export {};
