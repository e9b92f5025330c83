//! Analysis: the middle game's search, then the solver.

use super::Reversi;
use super::endgame::Endgame;
use super::evaluation::{DISC, Evaluation, Plain, learned};
use super::kernel::Kernel;
use super::midgame::Midgame;
use super::position_set::Square;
use crate::cpu::{Operation, on_best_cpu};
use crate::engine::Engine;
use crate::position::{Position, Symmetry};
use crate::search::analysis::{Analysis, AnalysisOptions, Found, Prober, Stage, analyse_with, deepen};
use crate::search::estimate::Estimate;
use crate::search::solve::{SolveError, SolveOptions};
use crate::search::{Clock, Memory};
use crate::work::Stopped;

/// How sure the selective searches are before the exact one, in hundredths of a standard deviation.
const CAUTION: i32 = 130;
const MORE_CAUTION: i32 = 240;

/// With so many empties more than plies, a search is as good as one to the end of the game, which is tried next.
const NEAR_THE_END: u32 = 9;

/// Analyses a position with the processor's best instructions.
pub(super) fn analyse(position: &Reversi, options: &AnalysisOptions) -> Result<Analysis<Square>, SolveError> {
    analyse_with(position, options, |limits| {
        on_best_cpu!(kernel => match has_weights(position) {
            true => analyse_by(kernel, learned(), position, options, limits),
            false => analyse_by(kernel, Plain::of(position), position, options, limits),
        })
    })
}

/// Returns whether the board is of the size that weights were trained for.
fn has_weights(position: &Reversi) -> bool {
    (position.width(), position.height()) == (8, 8)
}

fn analyse_by<K: Kernel, E: Evaluation>(
    kernel: K,
    evaluation: E,
    position: &Reversi,
    options: &AnalysisOptions,
    limits: &SolveOptions,
) -> Result<Analysis<Square>, SolveError> {
    let memory = Memory::default();
    let table = options.memory.unwrap_or(&memory).table(position, options.table_bytes())?;
    let endgame = Endgame::with_table(kernel, position, limits, table.clone());
    let mut search = Midgame::new(endgame, evaluation, table, None);
    let moves = position.moves().collect();
    Ok(deepen(position, moves, options.lines, limits, &stages(position, options), &mut search))
}

/// Returns the rounds of an analysis: deeper and deeper, then to the end of the game, surer and surer.
fn stages(position: &Reversi, options: &AnalysisOptions) -> Vec<Stage> {
    let empties = empties(position);
    let deepest = options.depth.unwrap_or(empties).clamp(1, empties);
    let mut stages = Vec::new();
    for depth in 1..=deepest {
        if depth < empties
            && (options.depth.is_some() || depth + NEAR_THE_END <= empties.max(NEAR_THE_END + 1))
        {
            stages.push(Stage { depth, caution: Some(CAUTION) });
        }
    }
    if deepest == empties {
        if empties > 14 {
            stages.extend(
                [CAUTION, MORE_CAUTION].map(|caution| Stage { depth: empties, caution: Some(caution) }),
            );
        }
        stages.push(Stage { depth: empties, caution: None });
    }
    stages
}

fn empties(position: &Reversi) -> u32 {
    let (me, op) = position.sides();
    (position.area().0 & !(me | op)).count_ones()
}

/// Estimates the end of a game that is not over.
pub(super) fn estimate(position: &Reversi) -> Estimate {
    let value = static_value(position);
    of_value(position, value, 0)
}

/// Returns the expected disc difference, in units of 1/[`DISC`], from a look at the position alone.
pub(super) fn static_value(position: &Reversi) -> i32 {
    let (me, op) = position.sides();
    on_best_cpu!(kernel => match has_weights(position) {
        true => value_by(kernel, learned(), me, op),
        false => value_by(kernel, Plain::of(position), me, op),
    })
}

fn value_by<K: Kernel, E: Evaluation>(kernel: K, evaluation: E, me: u64, op: u64) -> i32 {
    kernel.run(Look { kernel, evaluation, me, op })
}

/// A look at a position alone.
struct Look<K, E> {
    kernel: K,
    evaluation: E,
    me: u64,
    op: u64,
}

impl<K: Kernel, E: Evaluation> Operation for Look<K, E> {
    type Output = i32;

    #[inline(always)]
    fn run(self) -> i32 {
        let Look { kernel, evaluation, me, op } = self;
        evaluation.evaluate(kernel, me, op, &evaluation.look(kernel, me, op))
    }
}

/// Returns what a value found by a search of some plies means.
fn of_value(position: &Reversi, value: i32, depth: u32) -> Estimate {
    let (me, op) = position.sides();
    let tiles = ((me | op).count_ones() + depth).min(position.area().0.count_ones());
    let deviation = match has_weights(position) {
        true => learned().doubt_of_end(tiles),
        false => Plain::of(position).doubt_of_end(tiles),
    };
    Estimate::of_difference(f64::from(value) / f64::from(DISC), f64::from(deviation.max(1)) / f64::from(DISC))
}

impl<K: Kernel, E: Evaluation> Prober<Reversi> for Midgame<K, E> {
    const MOST: i32 = 64 * DISC;

    fn search(
        &mut self,
        position: &Reversi,
        stage: Stage,
        (alpha, beta): (i32, i32),
        clock: &mut Clock,
    ) -> Result<Found, Stopped> {
        let (me, op) = position.sides();
        if position.area().1 & !(me | op) != 0 {
            return self.search_opening(position, stage, (alpha, beta), clock);
        }
        let node = self.node(me, op);
        let proven = stage.caution.is_none() && stage.depth >= empties(position);
        self.caution = stage.caution;
        let value = Midgame::search(self, clock, &node, stage.depth, (alpha, beta));
        self.endgame.report(clock);
        Ok(Found { value: value?, proven })
    }

    fn value(score: i32) -> i32 {
        DISC * score
    }

    fn line(&self, root: &Reversi, m: &Square) -> Vec<Square> {
        let (mut line, mut position) = (vec![*m], root.after_unchecked(*m));
        while let Some(best) = self.best_move(&position).filter(|m| position.is_legal(m)) {
            line.push(best);
            position.play_unchecked(best);
        }
        line
    }

    fn estimate(&self, root: &Reversi, stage: Stage, value: i32) -> Estimate {
        of_value(root, value, stage.depth)
    }

    fn score(&self, _: &Reversi, value: i32) -> Option<i32> {
        Some(value / DISC)
    }

    fn fork(&self) -> Option<Self> {
        Some(self.clone())
    }
}

impl<K: Kernel, E: Evaluation> Midgame<K, E> {
    /// Searches a position of the opening; up to symmetry, its few lines transpose into each other.
    fn search_opening(
        &mut self,
        position: &Reversi,
        stage: Stage,
        (alpha, beta): (i32, i32),
        clock: &mut Clock,
    ) -> Result<Found, Stopped> {
        self.endgame.count(clock)?;
        if stage.depth == 0 {
            return Ok(Found { value: static_value(position), proven: false });
        }
        let mut best = Found { value: i32::MIN, proven: true };
        let mut all_proven = true;
        for m in position.moves() {
            let child = position.after_unchecked(m).least_image();
            let floor = alpha.max(best.value);
            let next = Stage { depth: stage.depth - 1, ..stage };
            let found = match child.score_for(position.turn(), false) {
                Some(score) => Found { value: DISC * score, proven: true },
                None if child.turn() == position.turn() => {
                    Prober::search(self, &child, next, (floor, beta), clock)?
                }
                None => {
                    let found = Prober::search(self, &child, next, (-beta, -floor), clock)?;
                    Found { value: -found.value, ..found }
                }
            };
            all_proven &= found.proven;
            if found.value > best.value {
                best = found;
            }
            if best.value >= beta {
                return Ok(best);
            }
        }
        Ok(Found { proven: all_proven, ..best })
    }

    /// Returns the best move that the table knows.
    fn best_move(&self, position: &Reversi) -> Option<Square> {
        let (me, op) = position.sides();
        // After an exact search the solver knows best.
        let (solved, searched) = (self.endgame.best(me, op), self.best(me, op));
        let best = if self.caution.is_none() { solved.or(searched) } else { searched.or(solved) }?;
        position.moves().find(|m| m.index() == usize::from(best))
    }
}
