//! Labels beside points, so that none covers another.

use crate::draw::Box2;

/// How far from its point a label may go.
const RADII: [f64; 8] = [11.0, 17.0, 25.0, 35.0, 48.0, 64.0, 84.0, 108.0];
/// Tries around a point.
const N_TURNS: usize = 16;

/// Finds places for labels of a size, centered, near their points: within the field, apart from each
/// other, and as far as possible away from all points.
pub(crate) fn placed(points: &[(f64, f64)], sizes: &[(f64, f64)], field: Box2) -> Vec<(f64, f64)> {
    let mut taken: Vec<Box2> = Vec::new();
    let mut places = Vec::new();
    let mark = |&point: &(f64, f64)| Box2::around(point, (9.0, 9.0));
    let marks: Vec<Box2> = points.iter().map(mark).collect();
    for (&(x, y), &size) in points.iter().zip(sizes) {
        let tries = RADII.iter().flat_map(|&radius| {
            (0..N_TURNS).map(move |turn| {
                // Above comes first, then to the right and left in turns.
                let side = if turn % 2 == 0 { 1.0 } else { -1.0 };
                let angle = side * turn.div_ceil(2) as f64 * std::f64::consts::TAU / N_TURNS as f64;
                (x + radius * angle.sin(), y - radius * angle.cos())
            })
        });
        let is_free = |place: &(f64, f64), marks: &[Box2]| {
            let label = Box2::around(*place, size);
            let is_inside = label.x >= field.x
                && label.y >= field.y
                && label.right() <= field.right()
                && label.bottom() <= field.bottom();
            let mut others = taken.iter().chain(marks);
            is_inside && !others.any(|other| label.overlaps(other))
        };
        let found = tries.clone().find(|place| is_free(place, &marks));
        let found = found.or_else(|| tries.clone().find(|place| is_free(place, &[])));
        // Among very many the label goes to its point.
        let place = found.unwrap_or((x, y));
        taken.push(Box2::around(place, size));
        places.push(place);
    }
    places
}

/// Finds places along a line, as near to the wanted ones as can be, in their order, `apart` from each
/// other and from 0 to `length`, as far as there is room.
pub(crate) fn spread(wanted: &[f64], apart: f64, length: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by(|&a, &b| wanted[a].total_cmp(&wanted[b]));
    let apart = match wanted.len() {
        0 | 1 => apart,
        n => apart.min(length / (n - 1) as f64),
    };
    let mut places = vec![0.0; wanted.len()];
    let mut least = 0.0;
    for &i in &order {
        places[i] = wanted[i].max(least);
        least = places[i] + apart;
    }
    let mut most = length;
    for &i in order.iter().rev() {
        places[i] = places[i].min(most);
        most = places[i] - apart;
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_equal_points_are_apart() {
        let field = Box2 {
            x: 0.0,
            y: 0.0,
            width: 300.0,
            height: 200.0,
        };
        // Twelve pipelines with the very same result, in a corner.
        let places = placed(&[(295.0, 5.0); 12], &[(12.0, 14.0); 12], field);
        for (i, &a) in places.iter().enumerate() {
            let a = Box2::around(a, (12.0, 14.0));
            let mut others = places[..i].iter();
            assert!(others.all(|&b| !a.overlaps(&Box2::around(b, (12.0, 14.0)))));
            assert!(a.x >= 0.0 && a.right() <= 300.0 && a.y >= 0.0);
        }
    }

    #[test]
    fn places_along_a_line_keep_their_order_and_distance() {
        assert_eq!(spread(&[5.0, 5.0, 90.0], 10.0, 100.0), [5.0, 15.0, 90.0]);
        assert_eq!(spread(&[99.0, 98.0], 10.0, 100.0), [100.0, 90.0]);
        // More than there is room for share what there is.
        assert_eq!(spread(&[1.0, 1.0, 1.0], 80.0, 100.0), [0.0, 50.0, 100.0]);
        assert!(spread(&[], 1.0, 1.0).is_empty());
    }
}
