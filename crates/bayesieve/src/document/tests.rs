//! Documents of small results, entry by entry.
