import { useSignal } from '@preact/signals'
import { Upload } from 'lucide'
import { useEffect } from 'preact/hooks'
import { takeFiles } from '../base/drops.ts'
import { mayCreate, session } from '../base/session.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Icon } from '../parts/icon.tsx'
import { toast } from '../parts/toast.tsx'
import { isForShared, replace } from '../routes.ts'
import { common } from '../text/common.ts'
import { upload } from '../text/upload.ts'

const PATH = '/worker.js'

interface Policy {
  createScriptURL(path: string): string
}

interface Factory {
  createPolicy(name: string, rules: Policy): Policy
}

/**
 * Registers the page's service worker, and asks whether to upload what another app has shared with it: any page on the
 * web could do that as well.
 */
export function Worker() {
  const shared = useSignal<File[]>([])
  const words = upload()
  const count = shared.value.length
  const end = () => {
    shared.value = []
    // Keeps of the query only what the page knows.
    replace({})
  }
  useEffect(() => {
    // Private windows may have no workers, and neither has a page whose certificate isn't trusted.
    register().catch(() => {})
    void takeShared().then((files) => {
      // Taken nevertheless, so that nothing is left of somebody who shared it and went away without signing in.
      if (!isForShared) return
      if (files.length > 0 && mayCreate()) {
        shared.value = files
      } else {
        toast({ text: files.length > 0 ? words.reasons.forbidden : words.notShared, kind: 'bad' })
        end()
      }
    })
  }, [])
  if (count === 0) return null
  return (
    <Dialog
      title={words.uploadShared(count)}
      role="alertdialog"
      onClose={end}
      onSubmit={() => {
        takeFiles(shared.value)
        end()
      }}
      footer={
        <>
          <button type="button" class="btn" onClick={end}>
            {common().cancel}
          </button>
          <button type="submit" class="btn primary">
            <Icon of={Upload} />
            {words.upload}
          </button>
        </>
      }
    >
      <p>{words.sharedBy(session.value!.user.name)}</p>
    </Dialog>
  )
}

async function register(): Promise<void> {
  const { trustedTypes } = window as { trustedTypes?: Factory }
  const policy = trustedTypes?.createPolicy('tagstead-worker', { createScriptURL: () => PATH })
  await navigator.serviceWorker.register(policy?.createScriptURL(PATH) ?? PATH)
}

/** Returns the files that the worker holds; none without a worker. */
async function takeShared(): Promise<File[]> {
  const controller = navigator.serviceWorker?.controller
  if (!controller) return []
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = ({ data }) => resolve(data)
    controller.postMessage('shared', [port2])
  })
}
