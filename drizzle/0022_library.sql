CREATE TABLE `library` (
	`id` text PRIMARY KEY NOT NULL
) STRICT;
--> statement-breakpoint
INSERT INTO `library` VALUES (lower(hex(randomblob(16))));
--> statement-breakpoint
CREATE TABLE `removals` (
	`blob` text PRIMARY KEY NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TRIGGER `file_details_removal` AFTER DELETE ON `file_details` BEGIN
	INSERT OR IGNORE INTO removals VALUES (old.blob);
END;
--> statement-breakpoint
CREATE TRIGGER `file_details_replaced` AFTER UPDATE OF `blob` ON `file_details` WHEN old.blob <> new.blob BEGIN
	INSERT OR IGNORE INTO removals VALUES (old.blob);
END;
