ALTER TABLE `pools` ADD `is_deleted` integer DEFAULT false NOT NULL CHECK (`is_deleted` IN (0, 1));
