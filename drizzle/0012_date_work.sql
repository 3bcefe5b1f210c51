ALTER TABLE `background_work` ADD `again` integer;--> statement-breakpoint
ALTER TABLE `background_work` ADD `operation` integer;