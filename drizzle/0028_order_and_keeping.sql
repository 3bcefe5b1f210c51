CREATE TABLE `late_dates` (
	`file_rid` integer PRIMARY KEY NOT NULL,
	`dates` text NOT NULL,
	FOREIGN KEY (`file_rid`) REFERENCES `files`(`rid`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE TABLE `spare` (
	`id` integer PRIMARY KEY NOT NULL,
	`bytes` blob NOT NULL
) STRICT;
--> statement-breakpoint
DROP INDEX `files_created`;--> statement-breakpoint
ALTER TABLE `files` ADD `trashed_at` integer;--> statement-breakpoint
CREATE INDEX `files_trashed` ON `files` (`trashed_at`) WHERE trashed_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `files_created` ON `files` (`is_deleted`,`rid`,`id`,`creator_id`,`is_public`);--> statement-breakpoint
ALTER TABLE `library` ADD `passed_at` integer;--> statement-breakpoint
ALTER TABLE `library` ADD `steady_since` integer;--> statement-breakpoint
-- What is in the trash already has been there since now: nothing leaves it earlier than was told.
UPDATE `files` SET `trashed_at` = unixepoch() * 1000 WHERE `is_deleted` = 1;
