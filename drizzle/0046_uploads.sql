CREATE TABLE `uploads` (
	`id` blob PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`name` text,
	`length` integer,
	`size` integer NOT NULL,
	`until` integer NOT NULL,
	`fields` text NOT NULL,
	`file_id` blob,
	`is_new` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE INDEX `uploads_user` ON `uploads` (`user_id`,`file_id`);
--> statement-breakpoint
CREATE TRIGGER `users_uploads_blocked` AFTER UPDATE OF `is_blocked` ON `users` WHEN new.`is_blocked` = 1 BEGIN
	DELETE FROM `uploads` WHERE `user_id` = new.`id`;
END;
