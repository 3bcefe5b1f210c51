ALTER TABLE `files` ADD `trashed_at` integer;--> statement-breakpoint
CREATE INDEX `files_trashed` ON `files` (`trashed_at`) WHERE trashed_at IS NOT NULL;--> statement-breakpoint
-- What is in the trash already has been there since now: nothing leaves it earlier than was told.
UPDATE `files` SET `trashed_at` = unixepoch() * 1000 WHERE `is_deleted` = 1;
