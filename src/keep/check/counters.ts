import { write } from '../../db/write.ts'
import {
  isCountingStopped,
  recountFiles,
  recountTags,
  recountUsage,
  startCounting,
  wrongFileCounts,
  wrongTagCounts,
  wrongUsage,
} from './counter-queries.ts'
import type { Inspection } from './inspection.ts'

const PORTION = 500

/** Checks each counter that triggers maintain against the rows that it counts. */
export const counters: Inspection[] = [
  {
    what: 'Whether tags are counted',
    find: (db) =>
      isCountingStopped(db)
        ? [
            {
              kind: 'counting_stopped',
              subject: 'set_counting',
              sentence: 'The counters of tags stand still',
            },
          ]
        : [],
    mend: ({ db, clock }) => write(db, { now: clock() }, startCounting),
  },
  {
    what: 'How many tags files have',
    find: (db) =>
      wrongTagCounts(db).map(({ id, stored, counted }) => ({
        kind: 'tag_count',
        subject: id,
        sentence: `The file is said to have ${stored} tags, and has ${counted}`,
      })),
    mend({ db, clock }) {
      const rids = wrongTagCounts(db).map(({ rid }) => rid)
      for (let from = 0; from < rids.length; from += PORTION) {
        write(db, { now: clock() }, (tx) => recountTags(tx, rids.slice(from, from + PORTION)))
      }
    },
  },
  {
    what: 'How many files have tags',
    find: (db) =>
      wrongFileCounts(db).map(({ id, stored, counted }) => ({
        kind: 'tag_file_count',
        subject: id,
        sentence: `The tag is said to be on ${stored} files, and is on ${counted}`,
      })),
    mend({ db, clock }) {
      for (const { rid } of wrongFileCounts(db)) {
        write(db, { now: clock() }, (tx) => recountFiles(tx, rid))
      }
    },
  },
  {
    what: 'How much users have',
    find: (db) =>
      wrongUsage(db).map(({ user, stored_files, stored_bytes, files, bytes }) => ({
        kind: 'usage',
        subject: String(user),
        sentence: `The user is said to have ${stored_files} files of ${stored_bytes} bytes, and has ${files} of ${bytes}`,
      })),
    mend({ db, clock }) {
      for (const { user } of wrongUsage(db)) {
        write(db, { now: clock() }, (tx) => recountUsage(tx, user))
      }
    },
  },
]
