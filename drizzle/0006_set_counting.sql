CREATE TABLE `set_counting` (
	`no_user` integer PRIMARY KEY NOT NULL,
	FOREIGN KEY (`no_user`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action DEFERRABLE INITIALLY DEFERRED
) STRICT;
--> statement-breakpoint
DROP TRIGGER `file_tags_insert`;
--> statement-breakpoint
DROP TRIGGER `file_tags_delete`;
--> statement-breakpoint
CREATE TRIGGER `file_tags_insert` AFTER INSERT ON `file_tags` WHEN NOT EXISTS (SELECT 1 FROM set_counting) BEGIN
	UPDATE files SET tag_count = tag_count + 1 WHERE rid = new.file_rid;
	UPDATE tags SET file_count = file_count + 1, files_version = files_version + 1 WHERE rid = new.tag_rid;
END;
--> statement-breakpoint
CREATE TRIGGER `file_tags_delete` AFTER DELETE ON `file_tags` WHEN NOT EXISTS (SELECT 1 FROM set_counting) BEGIN
	UPDATE files SET tag_count = tag_count - 1 WHERE rid = old.file_rid;
	UPDATE tags SET file_count = file_count - 1, files_version = files_version + 1 WHERE rid = old.tag_rid;
END;
