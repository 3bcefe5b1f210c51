CREATE TABLE `spare` (
	`id` integer PRIMARY KEY NOT NULL,
	`bytes` blob NOT NULL
) STRICT;
