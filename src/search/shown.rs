//! Estimates and analyses as text, which always says whether a result is estimated or exact.

use std::fmt::{self, Display, Formatter};

use super::analysis::{Analysis, Line};
use super::estimate::Estimate;

/// Writes the probabilities, and the expected disc difference in games that count squares:
///
/// ```
/// use petteia::Estimate;
///
/// let estimate = Estimate { win: 0.75, draw: 0.125, loss: 0.125, difference: Some(5.5) };
/// assert_eq!(estimate.to_string(), "estimate: win 75 %, draw 13 %, loss 13 %, difference +5.5");
/// ```
impl Display for Estimate {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Estimate { win, draw, loss, difference } = *self;
        // Halves are rounded up: Rust would round 12.5 to the even 12.
        let percent = |share: f64| (100.0 * share).round();
        write!(f, "estimate: win {} %, draw {} %, loss {} %", percent(win), percent(draw), percent(loss))?;
        difference.map_or(Ok(()), |discs| write!(f, ", difference {discs:+.1}"))
    }
}

impl<M> Line<M> {
    /// Describes how the game ends, as `exact: win by 4`, or is likely to end, as an [`Estimate`] is written.
    pub fn result(&self) -> String {
        let Some(value) = self.value else { return self.estimate.to_string() };
        let outcome = match value {
            0 => return "exact: draw".to_owned(),
            1.. => "win",
            _ => "loss",
        };
        match self.estimate.difference {
            Some(_) => format!("exact: {outcome} by {}", value.unsigned_abs()),
            None => format!("exact: {outcome}"),
        }
    }
}

/// Writes a table with a row for each line, then the depth, the nodes and the time.
///
/// ```
/// use petteia::prelude::*;
/// use petteia::{AnalysisOptions, TicTac};
///
/// let position: TicTac = "XX_/OO_/___ X".parse()?;
/// let analysis = position.analyse(&AnalysisOptions { depth: Some(1), ..AnalysisOptions::default() })?;
/// assert!(analysis.to_string().starts_with("move  result      line\nA3    exact: win  A3\ndepth 1, "));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl<M: Display> Display for Analysis<M> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let rows = self.lines.iter().map(|line| {
            let moves: Vec<String> = line.moves.iter().map(ToString::to_string).collect();
            [moves.first().cloned().unwrap_or_default(), line.result(), moves.join(" ")]
        });
        let rows: Vec<[String; 3]> =
            [["move", "result", "line"].map(str::to_owned)].into_iter().chain(rows).collect();
        let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let (first, second) = (width(0), width(1));
        for [m, result, line] in &rows {
            writeln!(f, "{m:first$}  {result:second$}  {line}")?;
        }
        write!(f, "depth {}, {} nodes, {:.3} s", self.depth, self.nodes, self.seconds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_say_what_they_are() {
        let result = |value, difference| {
            let estimate = Estimate { win: 0.5, draw: 0.0, loss: 0.5, difference };
            Line { moves: vec!['a'], estimate, value }.result()
        };
        assert_eq!(result(None, None), "estimate: win 50 %, draw 0 %, loss 50 %");
        assert_eq!(result(None, Some(-0.25)), "estimate: win 50 %, draw 0 %, loss 50 %, difference -0.2");
        assert_eq!(result(Some(1), None), "exact: win");
        assert_eq!(result(Some(-1), None), "exact: loss");
        assert_eq!(result(Some(0), Some(0.0)), "exact: draw");
        assert_eq!(result(Some(-12), Some(-12.0)), "exact: loss by 12");
    }
}
