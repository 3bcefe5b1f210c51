ALTER TABLE `import_journal` ADD `sidecars` blob;--> statement-breakpoint
ALTER TABLE `import_journal` ADD `applied` text;--> statement-breakpoint
CREATE INDEX `tags_xmp_path` ON `tags` (metadata ->> '$.xmp_path') WHERE metadata ->> '$.xmp_path' IS NOT NULL;
