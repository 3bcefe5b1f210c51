import { encode } from 'uqr'
import type { Schemas } from '../../client/index.ts'
import { CopyField } from '../parts/copy-field.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { appKeys } from '../text/app-keys.ts'

/** Shows a key that can't be shown again, with the address that its app needs, to be copied or scanned. */
export function MadeKey({ made, onClose }: { made: Schemas['NewKey']; onClose(): void }) {
  const words = appKeys()
  const server = made.public_url ?? location.origin
  const address = made.scope === 'upload' ? `${server}/dav/` : server
  return (
    <Dialog
      title={made.name}
      role="alertdialog"
      onClose={onClose}
      footer={
        // No form: a second Enter in a row must not close what is shown once.
        <button type="button" class="btn primary" onClick={onClose}>
          {words.noted}
        </button>
      }
    >
      <p>{words.shownOnce}</p>
      <CopyField label={words.address} value={address} />
      <CopyField label={words.key} value={made.key} />
      <Code text={`${address}\n${made.key}`} label={words.code} />
      <p class="muted small">{words.codeHint}</p>
    </Dialog>
  )
}

function Code({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 4 })
  const squares = data.flatMap((row, y) => row.map((is, x) => (is ? `M${x} ${y}h1v1h-1z` : '')))
  return (
    <svg class="code" role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`}>
      <path fill="#fff" d={`M0 0h${size}v${size}h-${size}z`} />
      <path fill="#000" shape-rendering="crispEdges" d={squares.join('')} />
    </svg>
  )
}
