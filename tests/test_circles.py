"""The modules of the house have no import cycle, even counting imports for types alone."""

from graphlib import TopologicalSorter

import grimp

HOUSE = "trine.house"


def test_no_files_of_the_house_import_each_other_in_a_circle() -> None:
    graph = grimp.build_graph("trine", exclude_type_checking_imports=False)
    ours = {module for module in graph.modules if module.startswith(HOUSE)}
    assert len(ours) > 100
    imports = {one: graph.find_modules_directly_imported_by(one) & ours for one in ours}
    TopologicalSorter(imports).prepare()  # raises a CycleError that names the files
