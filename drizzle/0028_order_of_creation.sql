DROP INDEX `files_created`;--> statement-breakpoint
CREATE INDEX `files_created` ON `files` (`is_deleted`,`rid`,`id`,`creator_id`,`is_public`);