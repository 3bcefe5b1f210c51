CREATE TABLE `companions` (
	`film_rid` integer PRIMARY KEY NOT NULL,
	`picture_rid` integer NOT NULL,
	FOREIGN KEY (`film_rid`) REFERENCES `files`(`rid`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`picture_rid`) REFERENCES `files`(`rid`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `companions_picture_rid_unique` ON `companions` (`picture_rid`);--> statement-breakpoint
CREATE INDEX `file_details_content_identifier` ON `file_details` (exif ->> '$.ContentIdentifier') WHERE exif ->> '$.ContentIdentifier' IS NOT NULL;