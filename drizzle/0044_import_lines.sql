CREATE TABLE `import_lines` (
	`path` text NOT NULL,
	`sha256` blob NOT NULL,
	`pool_rid` integer,
	PRIMARY KEY(`path`, `sha256`),
	FOREIGN KEY (`pool_rid`) REFERENCES `pools`(`rid`) ON UPDATE no action ON DELETE cascade
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `import_lines_pool` ON `import_lines` (`pool_rid`) WHERE pool_rid IS NOT NULL;
