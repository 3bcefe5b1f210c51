DROP INDEX `files_untagged`;--> statement-breakpoint
CREATE INDEX `files_public` ON `files` (`rid`) WHERE is_public = 1;--> statement-breakpoint
CREATE INDEX `files_few_tags` ON `files` (`tag_count`) WHERE tag_count <= 3;