import assert from 'node:assert/strict'
import { closeSync, constants, openSync, statSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { openDatabase } from '../../../src/db/client.ts'
import { isRunning } from '../../support/processes.ts'
import { filesIn, type Scene, type Sent, until } from './scene.ts'

/** A moment of an upload at which something goes wrong. */
export interface Reached {
  /** What is waited for: an upload, or somebody's look at a preview. */
  answer: Promise<Sent>
  /** Whether it is held up in the decoder's child. */
  isInChild: boolean
  /** Lets it go on from there, unless what is held up has ended. */
  goOn(): Promise<void> | void
}

/** It takes a program moments to wait when it has said so; milliseconds. */
const TRIES = 100
const PAUSE = 10

const resume = (pids: number[]) => {
  for (const pid of pids.filter(isRunning)) process.kill(pid, 'SIGCONT')
}
/** Lets ffmpeg go on, if one waits or is about to. */
async function giveFrame({ ffmpeg }: Scene): Promise<void> {
  const path = join(dirname(ffmpeg.path), 'go')
  for (let left = TRIES; left > 0; left--) {
    try {
      // Without a reader this fails, where it would otherwise wait for one.
      const pipe = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK)
      writeSync(pipe, '\n')
      closeSync(pipe)
      return
    } catch (error) {
      assert.equal((error as NodeJS.ErrnoException).code, 'ENXIO')
      await setTimeout(PAUSE)
    }
  }
}

/** Brings a scene to each point. */
export const POINTS: Record<string, (scene: Scene) => Promise<Reached>> = {
  async 'half received'(scene) {
    const rest = Promise.withResolvers<void>()
    const answer = scene.upload(rest.promise)
    const isThere = (name: string) => statSync(join(scene.dataDir, 'tmp', name)).size > 0
    await until('a temporary file', () => filesIn(scene, 'tmp').some(isThere))
    return { answer, isInChild: false, goOn: rest.resolve }
  },
  async 'reading EXIF'(scene) {
    const before = filesIn(scene, 'files').length
    const stopped = scene.decoders()
    for (const pid of stopped) process.kill(pid, 'SIGSTOP')
    const answer = scene.upload()
    await until('a content', () => filesIn(scene, 'files').length > before)
    return { answer, isInChild: true, goOn: () => resume(stopped) }
  },
  async 'making the picture'(scene) {
    scene.ffmpeg.answer('waits')
    const answer = scene.upload()
    await scene.ffmpeg.waiting()
    return { answer, isInChild: true, goOn: () => giveFrame(scene) }
  },
  async 'before the commit'(scene) {
    const before = filesIn(scene, 'thumbnails').length
    scene.ffmpeg.answer('waits')
    const answer = scene.upload()
    await scene.ffmpeg.waiting()
    const db = openDatabase(join(scene.dataDir, 'tagstead.sqlite'))
    db.run('BEGIN IMMEDIATE')
    await giveFrame(scene)
    await until('a thumbnail', () => filesIn(scene, 'thumbnails').length > before)
    return {
      answer,
      isInChild: false,
      goOn() {
        db.run('ROLLBACK')
        db.close()
      },
    }
  },
  async 'answered without a picture'(scene) {
    scene.ffmpeg.answer('waits')
    const answer = scene.upload()
    await scene.ffmpeg.waiting()
    await answer
    return { answer, isInChild: true, goOn: () => giveFrame(scene) }
  },
  async 'making the preview'(scene) {
    scene.ffmpeg.answer('frame')
    const sent = await scene.upload()
    scene.ffmpeg.answer('waits')
    const looked = scene.page.sizeOf(sent!.told.id, 'preview').catch(() => null)
    await scene.ffmpeg.waiting()
    return { answer: looked.then(() => null), isInChild: true, goOn: () => giveFrame(scene) }
  },
}
