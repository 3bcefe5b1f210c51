CREATE TABLE `kept_generations` (
	`folder` text NOT NULL,
	`made_at` integer NOT NULL,
	PRIMARY KEY(`folder`, `made_at`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
DROP TRIGGER `file_details_delete`;
--> statement-breakpoint
DROP TRIGGER `file_details_replaced`;
--> statement-breakpoint
ALTER TABLE `removals` ADD `not_before` integer;
--> statement-breakpoint
CREATE TRIGGER `file_details_delete` AFTER DELETE ON `file_details` BEGIN
	INSERT OR IGNORE INTO removals VALUES (old.blob, (SELECT max(made_at) FROM kept_generations));
	DELETE FROM damages WHERE blob = old.blob;
	UPDATE cache_versions SET version = abs(random() % 9007199254740991) WHERE name = 'contents';
END;
--> statement-breakpoint
CREATE TRIGGER `file_details_replaced` AFTER UPDATE OF `blob` ON `file_details` WHEN old.blob <> new.blob BEGIN
	INSERT OR IGNORE INTO removals VALUES (old.blob, (SELECT max(made_at) FROM kept_generations));
	DELETE FROM damages WHERE blob = old.blob;
END;
