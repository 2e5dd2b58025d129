//! [`Report`]: the page as text.

use std::fmt::Write as _;

use serde::Serialize;

use super::motion::Motion;
use crate::plain_text::reorders;

/// What keeps a page from loading or sending anything, whatever is in it.
const POLICY: &str = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; \
    base-uri 'none'; form-action 'none'";

const STYLE: &str = include_str!("../../page/report.css");

const PROGRAM: [&str; 4] = [
    include_str!("../../page/film.js"),
    include_str!("../../page/stage.js"),
    include_str!("../../page/strips.js"),
    include_str!("../../page/player.js"),
];

/// The program of a live page.
const LIVE: &str = include_str!("../../page/live.js");

/// A page.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// The heading.
    pub title: String,
    /// The line below the heading.
    pub subtitle: String,
    /// What deserves a warning, above all else.
    pub warnings: Vec<String>,
    /// A few figures with their names, in large letters.
    pub tiles: Vec<(String, String)>,
    /// The episodes that are played.
    pub motion: Option<Motion>,
    /// The sections below the player.
    pub sections: Vec<Section>,
}

/// A part of a page.
#[derive(Clone, Debug, PartialEq)]
pub enum Section {
    /// Names and what they stand for.
    Facts(String, Vec<(String, String)>),
    /// Rows of cells, the first row of headings.
    Table(String, Vec<Vec<String>>),
    /// Pictures side by side, as SVG of this crate.
    Figures(String, Vec<String>),
    /// A text that keeps its lines; it is folded up if that is asked for.
    Text(String, String, bool),
    /// A paragraph.
    Note(String),
}

impl Report {
    /// The page.
    #[must_use]
    pub fn html(&self) -> String {
        let mut page = self.head(POLICY);
        page.push_str(&self.main());
        page.push_str("</main>\n");
        if self.motion.is_some() {
            page.push_str("<script>\n");
            for part in PROGRAM {
                page.push_str(part);
            }
            page.push_str("</script>\n");
        }
        page.push_str("</body>\n</html>\n");
        page
    }

    /// The page that shows what a script beside it, named `script`, says from time to time: [`live_script`](Self::live_script).
    /// It plays nothing, and loads that script alone, from the disk.
    #[must_use]
    pub fn live_html(&self, script: &str) -> String {
        let policy = POLICY.replace("script-src", "script-src file:");
        let (main, script) = (self.main(), escaped(script));
        format!(
            "{}{main}</main>\n<script data-live=\"{script}\">\n{LIVE}</script>\n</body>\n</html>\n",
            self.head(&policy)
        )
    }

    /// The script that makes a live page show this.
    #[must_use]
    pub fn live_script(&self) -> String {
        format!("bitloop.show({});\n", json(&self.main()))
    }

    /// The script that makes a live page load itself again, once it has become another one.
    #[must_use]
    pub const fn last_script() -> &'static str {
        "bitloop.done();\n"
    }

    fn head(&self, policy: &str) -> String {
        format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n",
            escaped(&self.title)
        )
    }

    /// All that is shown.
    fn main(&self) -> String {
        let mut page = String::new();
        // Writing to a string cannot fail.
        let _ = write!(
            page,
            "<h1>{}</h1>\n<p class=\"subtitle\">{}</p>\n",
            escaped(&self.title),
            escaped(&self.subtitle)
        );
        for warning in &self.warnings {
            let _ = writeln!(
                page,
                "<p class=\"warning\" role=\"alert\"><b>⚠ Warning:</b> {}</p>",
                escaped(warning)
            );
        }
        if !self.tiles.is_empty() {
            page.push_str("<ul class=\"tiles\">\n");
            for (name, value) in &self.tiles {
                let (name, value) = (escaped(name), escaped(value));
                let _ = writeln!(page, "<li><span>{name}</span><b>{value}</b></li>");
            }
            page.push_str("</ul>\n");
        }
        if let Some(motion) = &self.motion {
            push_player(&mut page, motion);
        }
        for section in &self.sections {
            push_section(&mut page, section);
        }
        page
    }
}

fn push_player(page: &mut String, motion: &Motion) {
    let speeds = [0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0];
    let options = speeds.map(|speed| format!("<option value=\"{speed}\">{speed} ×</option>"));
    let _ = write!(
        page,
        "<section class=\"playing\" aria-label=\"the plant in motion\">\n\
         <div class=\"controls\">\n<button class=\"play\" data-part=\"play\" aria-pressed=\"false\">Play</button>\n\
         <input type=\"range\" min=\"0\" max=\"1000\" step=\"any\" value=\"0\" data-part=\"scrubber\" aria-label=\"time\">\n\
         <output data-part=\"time\"></output>\n\
         <label>speed <select data-part=\"speed\">{}</select></label>\n\
         <label>curves <select data-part=\"window\"><option value=\"1\">all</option><option value=\"0.1\">a tenth</option>\
         <option value=\"0.01\">a hundredth</option></select></label>\n\
         <label>episode <select data-part=\"episode\"></select></label>\n</div>\n\
         <p class=\"note\" data-part=\"note\"></p>\n\
         <div class=\"player\"><div class=\"stage\" data-part=\"stage\"></div>\
         <div class=\"strips\" data-part=\"strips\"></div></div>\n\
         <p class=\"note\"><kbd>space</kbd> plays and pauses, <kbd>←</kbd> <kbd>→</kbd> move in time (with <kbd>shift</kbd> by one \
         query), <kbd>Home</kbd> and <kbd>End</kbd> jump; a click on a curve goes there.</p>\n</section>\n\
         <script type=\"application/json\" id=\"episodes\">{}</script>\n",
        options.concat(),
        json(motion)
    );
}

fn push_section(page: &mut String, section: &Section) {
    match section {
        Section::Facts(title, facts) => {
            push_heading(page, title);
            page.push_str("<table>\n");
            for (name, value) in facts {
                page.push_str("<tr>");
                push_element(page, "th", name);
                push_element(page, "td", value);
                page.push_str("</tr>\n");
            }
            page.push_str("</table>\n");
        }
        Section::Table(title, rows) => {
            push_heading(page, title);
            page.push_str("<div class=\"wide\"><table class=\"rows\">\n");
            for (index, row) in rows.iter().enumerate() {
                page.push_str("<tr>");
                for cell in row {
                    push_element(page, if index == 0 { "th" } else { "td" }, cell);
                }
                page.push_str("</tr>\n");
            }
            page.push_str("</table></div>\n");
        }
        Section::Figures(title, figures) => {
            push_heading(page, title);
            page.push_str("<div class=\"figures\">\n");
            for svg in figures {
                page.push_str("<figure>");
                page.push_str(svg);
                page.push_str("</figure>\n");
            }
            page.push_str("</div>\n");
        }
        Section::Text(title, text, true) => {
            page.push_str("<details>");
            push_element(page, "summary", title);
            push_element(page, "pre", text);
            page.push_str("</details>\n");
        }
        Section::Text(title, text, false) => {
            push_heading(page, title);
            push_element(page, "pre", text);
        }
        Section::Note(text) => {
            page.push_str("<p class=\"note\">");
            page.push_str(&escaped(text));
            page.push_str("</p>\n");
        }
    }
}

fn push_heading(page: &mut String, title: &str) {
    push_element(page, "h2", title);
    page.push('\n');
}

/// An element that holds a text.
fn push_element(page: &mut String, name: &str, text: &str) {
    // Writing to a string cannot fail.
    let _ = write!(page, "<{name}>{}</{name}>", escaped(text));
}

/// Text as HTML, without what cannot be printed.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            letter if reorders(letter) => {}
            letter if letter.is_control() && letter != '\n' && letter != '\t' => {}
            letter => escaped.push(letter),
        }
    }
    escaped
}

/// Data as JSON that cannot end its element: in a text, `<` can be written by its number, and nothing else has one.
fn json(data: &impl Serialize) -> String {
    let text = serde_json::to_string(data).unwrap_or_else(|_| "null".to_owned());
    text.replace('<', "\\u003c").replace(reorders, "")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{MotionSignal, SignalKind};

    #[test]
    fn nothing_that_is_said_becomes_markup() {
        let evil =
            "</script><script>alert(1)</script><img src=x onerror=\"alert('2')\">&\u{202e}\u{7}";
        let say = || evil.to_owned();
        let signal = MotionSignal {
            name: say(),
            unit: say(),
            kind: SignalKind::State,
            strip: true,
            held: false,
            wraps: false,
            limits: vec![],
        };
        let report = Report {
            title: say(),
            subtitle: say(),
            warnings: vec![say()],
            tiles: vec![(say(), say())],
            motion: Some(Motion {
                scene: None,
                horizon_s: 1.0,
                step_s: 0.1,
                query_s: 0.1,
                signals: vec![signal],
                episodes: vec![],
            }),
            sections: vec![
                Section::Facts(say(), vec![(say(), say())]),
                Section::Text(say(), say(), true),
                Section::Text(say(), say(), false),
                Section::Note(say()),
            ],
        };
        let page = report.html();
        let harmless = Report { motion: report.motion.clone(), ..Report::default() }.html();
        assert_eq!(page.matches("<script").count(), harmless.matches("<script").count());
        assert_eq!(page.matches("</script").count(), 2);
        assert!(!page.contains("<img") && !page.contains('\u{202e}') && !page.contains('\u{7}'));
        assert!(page.contains("&lt;/script&gt;&lt;script&gt;alert(1)"));
        assert!(page.contains("content=\"default-src 'none'; "));
        // The program of a live page, and the data of what it would play.
        let live = report.live_html("\"><script>alert(3)</script>.js");
        assert_eq!((live.matches("<script").count(), live.matches("</script").count()), (2, 2));
        assert!(!report.live_script().contains('<') && live.contains("script-src file:"));
    }
}
