import { setImmediate } from 'node:timers/promises'
import { changesBetween } from '../../audit/changes.ts'
import { audit, SYSTEM } from '../../audit/record.ts'
import type { Config } from '../../base/config.ts'
import type { Log } from '../../base/log.ts'
import { type Tx, type WriteDeps, write } from '../../db/write.ts'
import { type Here, judgeDates } from '../../media/dates.ts'
import { lateDate, shownDate } from './file-date.ts'
import { setFileDate } from './file-date-queries.ts'
import { type LateFile, listLateFiles, setLateDates } from './late-dates-queries.ts'

const PORTION = 500

interface LateDatesDeps extends WriteDeps {
  config: Pick<Config, 'timeZone'>
  log: Log
}

/**
 * Judges again, by the present clock, the dates that were in the future when their files came; one that is plausible
 * now becomes the date of its file, unless a person has set another. The audit log has an entry for each change. `over`
 * resolves when all are judged or after a stop.
 */
export function judgeLateDates(deps: LateDatesDeps): {
  over: Promise<void>
  stop(): Promise<void>
} {
  const ending = new AbortController()
  const over = judgeAll(deps, ending.signal).catch((error) => {
    deps.log.warn('dates that were to come are judged at the next start', { error: String(error) })
  })
  return {
    over,
    async stop() {
      ending.abort()
      await over
    },
  }
}

async function judgeAll({ db, clock, config }: LateDatesDeps, signal: AbortSignal): Promise<void> {
  const here = { now: clock(), timeZone: config.timeZone }
  const operation = { number: null }
  for (let after = 0; !signal.aborted; await setImmediate()) {
    const files = listLateFiles(db, { after, limit: PORTION })
    if (files.length === 0) return
    after = files.at(-1)!.rid
    const isSettled = ({ date_source, late }: LateFile) =>
      date_source === 'given' || judgeDates(late, here).date !== null
    if (!files.some(isSettled)) continue
    write(db, { now: here.now, operation }, (tx) => {
      // The files may have changed meanwhile.
      for (const file of listLateFiles(tx, { after: files[0]!.rid - 1, limit: files.length })) {
        if (isSettled(file)) settle(tx, file, here)
      }
    })
  }
}

function settle(tx: Tx, file: LateFile, here: Here): void {
  const { date, late } = lateDate(file.late, file.original_name, here)
  const isMended = file.date_source !== 'given' && date !== null
  setLateDates(tx, file.rid, isMended ? late : [])
  if (!isMended) return
  setFileDate(tx, file.rid, date)
  const changes = changesBetween(shownDate(file), shownDate(date))
  if (changes) audit(tx, SYSTEM, 'file_edit', { type: 'file', id: file.id }, { changes })
}
