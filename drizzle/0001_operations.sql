ALTER TABLE `audit_log` ADD `operation` integer;--> statement-breakpoint
ALTER TABLE `audit_log` ADD `details_version` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
CREATE INDEX `audit_log_operation` ON `audit_log` (`operation`) WHERE operation IS NOT NULL;--> statement-breakpoint
ALTER TABLE `file_tags` ADD `by_hand` integer DEFAULT true NOT NULL;