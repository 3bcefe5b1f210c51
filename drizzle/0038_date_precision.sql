ALTER TABLE `files` ADD COLUMN `date_precision` text CONSTRAINT "files_date_precision_known" CHECK(date_precision IN ('day', 'month', 'year'));--> statement-breakpoint
DROP TRIGGER `files_proposals_update`;--> statement-breakpoint
CREATE TRIGGER `files_proposals_update` AFTER UPDATE OF `date_source`, `mime_type`, `content_datetime`, `content_offset`, `date_precision`, `is_deleted` ON `files` WHEN old.date_source IS NOT new.date_source OR old.mime_type IS NOT new.mime_type OR old.content_datetime IS NOT new.content_datetime OR old.content_offset IS NOT new.content_offset OR old.date_precision IS NOT new.date_precision OR old.is_deleted IS NOT new.is_deleted BEGIN
	UPDATE cache_versions SET version = abs(random() % 9007199254740991) WHERE name = 'proposals';
END;
--> statement-breakpoint
CREATE INDEX `files_timeline` ON `files` (`is_deleted`,CASE WHEN date_precision IN ('month', 'year') THEN ifnull(unixepoch(content_datetime / 1000 + ifnull(content_offset, 0) * 60, 'unixepoch', 'start of ' || date_precision, '+1 ' || date_precision), 253402300800) * 1000 - ifnull(content_offset, 0) * 60000 - 1 ELSE content_datetime END,`id`,`creator_id`,`is_public`,`content_offset`,`date_precision`);
