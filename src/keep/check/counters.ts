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
import type { Look } from './look.ts'

const PORTION = 500

/** Checks each counter that triggers maintain against the rows that it counts. */
export const counters: Look[] = [
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
      wrongTagCounts(db).map(({ id, told, counted }) => ({
        kind: 'tag_count',
        subject: id,
        sentence: `The file is said to have ${told} tags, and has ${counted}`,
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
      wrongFileCounts(db).map(({ id, told, counted }) => ({
        kind: 'tag_file_count',
        subject: id,
        sentence: `The tag is said to be on ${told} files, and is on ${counted}`,
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
      wrongUsage(db).map(({ user, told_files, told_bytes, files, bytes }) => ({
        kind: 'usage',
        subject: String(user),
        sentence: `The user is said to have ${told_files} files of ${told_bytes} bytes, and has ${files} of ${bytes}`,
      })),
    mend({ db, clock }) {
      for (const { user } of wrongUsage(db)) {
        write(db, { now: clock() }, (tx) => recountUsage(tx, user))
      }
    },
  },
]
