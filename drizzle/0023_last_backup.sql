CREATE TABLE `last_backup` (
	`id` integer PRIMARY KEY NOT NULL,
	`made_at` integer,
	`problem` text,
	`failed_at` integer,
	CONSTRAINT "last_backup_single" CHECK(id = 1),
	CONSTRAINT "last_backup_problem_known" CHECK(problem IN ('incomplete', 'same_disk'))
) STRICT;
