CREATE TABLE `long_changes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`kind` text NOT NULL,
	`subject` text NOT NULL,
	`user_id` integer NOT NULL,
	`user_name` text NOT NULL,
	`operation` integer,
	`state` text NOT NULL,
	`started_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `long_changes_subject_unique` ON `long_changes` (`subject`);--> statement-breakpoint
DROP INDEX `users_name_unique`;--> statement-breakpoint
ALTER TABLE `users` ADD `is_deleted` integer DEFAULT false NOT NULL CHECK (`is_deleted` IN (0, 1));--> statement-breakpoint
CREATE UNIQUE INDEX `users_name_unique` ON `users` (`name`) WHERE is_deleted = 0;--> statement-breakpoint
ALTER TABLE `tags` ADD `is_deleted` integer DEFAULT false NOT NULL CHECK (`is_deleted` IN (0, 1));--> statement-breakpoint
CREATE INDEX `tags_deleted` ON `tags` (`rid`) WHERE is_deleted = 1;