INSERT INTO `cache_versions` (`name`, `version`) VALUES ('pool_files', 0);
--> statement-breakpoint
CREATE TRIGGER `pool_files_version_insert` AFTER INSERT ON `pool_files` BEGIN
	UPDATE cache_versions SET version = abs(random() % 9007199254740991) WHERE name = 'pool_files';
END;
--> statement-breakpoint
CREATE TRIGGER `pool_files_version_delete` AFTER DELETE ON `pool_files` BEGIN
	UPDATE cache_versions SET version = abs(random() % 9007199254740991) WHERE name = 'pool_files';
END;
