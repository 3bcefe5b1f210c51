import { useSignal } from '@preact/signals'
import { Link, Send } from 'lucide'
import type { Schemas } from '../../client/index.ts'
import { act, api, ask } from '../base/api.ts'
import { ApiError } from '../base/error.ts'
import { withFilms } from '../base/pairs.ts'
import { useResource } from '../base/resource.ts'
import { mayCreate, session } from '../base/session.ts'
import { CopyField } from '../parts/copy-field.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Icon } from '../parts/icon.tsx'
import { useSubmit } from '../parts/password.tsx'
import { Choice } from '../parts/seg.tsx'
import { Switch } from '../parts/switch.tsx'
import { common } from '../text/common.ts'
import { links } from '../text/links.ts'
import { problem } from '../text/problem.ts'
import { today } from '../this-day/read.ts'
import type { Linked } from './state.ts'

interface LinkDialogProps {
  of: Linked
  onClose(): void
}

/** A dialog that makes a link for people without an account, and shows it once. */
export function LinkDialog({ of, onClose }: LinkDialogProps) {
  const made = useSignal<string | null>(null)
  if (made.value !== null) return <Made url={made.value} onClose={onClose} />
  return (
    <Make
      of={of}
      onClose={onClose}
      onMade={(url) => {
        made.value = new URL(url, location.origin).href
      }}
    />
  )
}

async function asked(of: Linked): Promise<Schemas['ShareAsked']> {
  return 'pool_id' in of ? of : { file_ids: withFilms((await of.files.ids()).ids) }
}

function Make({ of, onClose, onMade }: LinkDialogProps & { onMade(url: string): void }) {
  const words = links()
  const title = useSignal('')
  const follows = useSignal(false)
  const downloads = useSignal<Schemas['Share']['downloads']>('without_place')
  const names = useSignal(false)
  const mayUpload = useSignal(false)
  const day = useSignal('')
  const password = useSignal('')
  const reach = useResource(async (signal) =>
    ask(api.POST('/api/v1/shares/reach', { body: await asked(of), signal })),
  )
  const { files = 0, left_out = 0 } = reach.data.value ?? {}
  const mayBeEmpty = follows.value || mayUpload.value
  const send = async () => {
    const body = {
      ...(await asked(of)),
      title: title.value.trim() || null,
      follows: follows.value,
      // To the end of that day, by the clock of this device.
      expires_at: day.value === '' ? null : new Date(`${day.value}T23:59:59`).toISOString(),
      password: password.value || null,
      downloads: downloads.value,
      shows_names: names.value,
      may_upload: mayUpload.value,
    }
    const { data } = await act(api.POST('/api/v1/shares', { body }))
    onMade(data.url)
  }
  const { submit, isBusy, complaint } = useSubmit(send, {})
  return (
    <Dialog
      title={words.title}
      class="share"
      onClose={onClose}
      onSubmit={() => void submit()}
      footer={
        <>
          <button type="button" class="btn" onClick={onClose}>
            {common().cancel}
          </button>
          <button
            type="submit"
            class="btn primary"
            disabled={isBusy.value || !reach.data.value || (files === 0 && !mayBeEmpty)}
          >
            <Icon of={Link} />
            {words.make}
          </button>
        </>
      }
    >
      <Reach files={files} leftOut={left_out} reach={reach} />
      <Field label={words.heading} type="text" value={title} />
      {'pool_id' in of && (
        <On
          label={words.follows}
          hint={session.value?.user.is_admin ? words.followsHintAdmin : words.followsHint}
          value={follows}
        />
      )}
      <Choice label={words.downloads} value={downloads} options={words.downloadsOf} />
      {downloads.value !== 'none' && (
        <p class="muted small">
          {downloads.value === 'as_they_are' ? words.asTheyAre : words.withoutPlace}
        </p>
      )}
      <On label={words.names} value={names} />
      {mayCreate() && <On label={words.mayUpload} hint={words.mayUploadHint} value={mayUpload} />}
      <Field label={words.ends} type="date" value={day} />
      <Field label={words.password} type="text" value={password} />
      <p class="complaint" role="alert">
        {complaint}
      </p>
    </Dialog>
  )
}

interface ReachProps {
  files: number
  leftOut: number
  reach: ReturnType<typeof useResource<Schemas['ShareReach']>>
}

function Reach({ files, leftOut, reach: { data, error } }: ReachProps) {
  const words = links()
  if (error.value) {
    const isSmart = error.value instanceof ApiError && error.value.status === 409
    return <p class="complaint">{isSmart ? words.isSmart : problem(error.value)}</p>
  }
  if (!data.value) return <p>…</p>
  return (
    <p role="status">
      {files === 0 ? words.nothing : words.reach(files)} {leftOut > 0 && words.leftOut(leftOut)}
    </p>
  )
}

interface FieldProps {
  label: string
  type: 'text' | 'date'
  value: { value: string }
}

function Field({ label, type, value }: FieldProps) {
  const own = {
    class: 'input',
    autocomplete: 'off' as const,
    value: value.value,
    onInput({ currentTarget }: { currentTarget: HTMLInputElement }) {
      value.value = currentTarget.value
    },
  }
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is the field in it
    <label class="field">
      <span>{label}</span>
      {type === 'date' ? (
        <input {...own} type="date" min={today()} />
      ) : (
        <input {...own} maxLength={256} />
      )}
    </label>
  )
}

function On({ value, ...rest }: { label: string; hint?: string; value: { value: boolean } }) {
  return (
    <Switch
      {...rest}
      isOn={value.value}
      onChange={(isOn) => {
        value.value = isOn
      }}
    />
  )
}

function Made({ url, onClose }: { url: string; onClose(): void }) {
  const words = links()
  return (
    <Dialog
      title={words.title}
      class="share"
      role="alertdialog"
      onClose={onClose}
      footer={
        <>
          {'share' in navigator && (
            <button
              type="button"
              class="btn"
              // Whoever changes their mind ends it with an error.
              onClick={() => void navigator.share({ url }).catch(() => {})}
            >
              <Icon of={Send} />
              {words.send}
            </button>
          )}
          <button type="button" class="btn primary" onClick={onClose}>
            {words.done}
          </button>
        </>
      }
    >
      <p>{words.made}</p>
      <CopyField label={words.link} value={url} />
    </Dialog>
  )
}
