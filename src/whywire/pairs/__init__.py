"""What two reports have to do with each other: one event, or one of seven relations."""
