CREATE TABLE `damages` (
	`blob` text PRIMARY KEY NOT NULL,
	`what` text NOT NULL,
	`found_at` integer NOT NULL,
	CONSTRAINT "damages_what_known" CHECK(what IN ('missing', 'size', 'sha256', 'unreadable'))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `scrub` (
	`id` integer PRIMARY KEY NOT NULL,
	`begun_at` integer NOT NULL,
	`place` text,
	`ended_at` integer,
	CONSTRAINT "scrub_single" CHECK(id = 1)
) STRICT;
--> statement-breakpoint
CREATE TRIGGER `file_details_removed_damage` AFTER DELETE ON `file_details` BEGIN
	DELETE FROM damages WHERE blob = old.blob;
END;
--> statement-breakpoint
CREATE TRIGGER `file_details_replaced_damage` AFTER UPDATE OF `blob` ON `file_details` WHEN old.blob <> new.blob BEGIN
	DELETE FROM damages WHERE blob = old.blob;
END;
