CREATE TABLE `late_dates` (
	`file_rid` integer PRIMARY KEY NOT NULL,
	`dates` text NOT NULL,
	FOREIGN KEY (`file_rid`) REFERENCES `files`(`rid`) ON UPDATE no action ON DELETE cascade
) STRICT;
