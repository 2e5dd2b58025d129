//! The modules of each crate form no circle.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

type Edges = BTreeMap<String, BTreeSet<String>>;

/// The modules that the code of `text` names by a path that begins with `crate::`, comments aside.
fn named_in(text: &str) -> BTreeSet<String> {
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    code.flat_map(|line| line.split("crate::").skip(1))
        .map(|rest| rest.split(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or(""))
        .filter(|name| name.starts_with(|c: char| c.is_lowercase()))
        .map(str::to_owned)
        .collect()
}

/// Adds what a file, or all files of a folder, name.
fn add(path: &Path, module: &str, edges: &mut Edges) {
    if path.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            add(&entry.unwrap().path(), module, edges);
        }
        return;
    }
    let mut names = named_in(&fs::read_to_string(path).unwrap());
    names.remove(module);
    edges.entry(module.to_owned()).or_default().extend(names);
}

/// Removes modules that name none of those left, until there are no more.
fn without_leaves(mut edges: Edges) -> Edges {
    while let Some(leaf) = edges.iter().find(|(_, to)| to.is_empty()).map(|(from, _)| from.clone())
    {
        edges.remove(&leaf);
        for to in edges.values_mut() {
            to.remove(&leaf);
        }
    }
    edges
}

/// The edges between the modules at the root of a crate.
fn edges(source: &Path) -> Edges {
    let mut edges = Edges::new();
    for entry in fs::read_dir(source).unwrap() {
        let path = entry.unwrap().path();
        let module = path.file_stem().unwrap().to_str().unwrap().to_owned();
        // The root declares all modules and re-exports from them; tests look at any of them.
        if !["lib", "main", "tests"].contains(&module.as_str()) {
            add(&path, &module, &mut edges);
        }
    }
    let modules: BTreeSet<_> = edges.keys().cloned().collect();
    for names in edges.values_mut() {
        // Macros and functions of the root are no modules.
        names.retain(|name| modules.contains(name));
    }
    edges
}

#[test]
fn modules_form_no_circle() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates");
    let mut n_edges = 0;
    for entry in fs::read_dir(crates).unwrap() {
        let folder = entry.unwrap().path();
        if !folder.join("src").is_dir() {
            continue;
        }
        let edges = edges(&folder.join("src"));
        n_edges += edges.values().map(BTreeSet::len).sum::<usize>();
        let circles = without_leaves(edges);
        assert!(
            circles.is_empty(),
            "{}: modules that reach a circle: {circles:?}",
            folder.display()
        );
    }
    assert!(n_edges > 100, "the edges were not found: {n_edges}");
}

#[test]
fn a_circle_is_found() {
    let names = |text: &str| text.split(' ').map(str::to_owned).collect::<BTreeSet<_>>();
    let edges = Edges::from([
        ("a".to_owned(), names("b c")),
        ("b".to_owned(), names("a")),
        ("c".to_owned(), BTreeSet::new()),
    ]);
    let circle = without_leaves(edges);
    assert_eq!(circle.keys().cloned().collect::<BTreeSet<_>>(), names("a b"));
}
