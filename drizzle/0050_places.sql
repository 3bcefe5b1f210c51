ALTER TABLE `library` ADD `place` text;--> statement-breakpoint
ALTER TABLE `library` ADD `old_place` text;