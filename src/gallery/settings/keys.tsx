import { type Signal, useSignal } from '@preact/signals'
import { Layers, Plus } from 'lucide'
import type { Schemas } from '../../client/index.ts'
import { act, api, ask } from '../base/api.ts'
import { ApiError } from '../base/error.ts'
import { when } from '../base/format.ts'
import { useResource } from '../base/resource.ts'
import { session } from '../base/session.ts'
import { Chip } from '../parts/chip.tsx'
import { Dialog, Sure } from '../parts/dialog.tsx'
import { Icon } from '../parts/icon.tsx'
import { OnDemand } from '../parts/on-demand.tsx'
import { useSubmit } from '../parts/password.tsx'
import { Choice } from '../parts/seg.tsx'
import { Switch } from '../parts/switch.tsx'
import { complain, toast } from '../parts/toast.tsx'
import { type Pool, PoolBox, pools } from '../pool-box/index.ts'
import { appKeys } from '../text/app-keys.ts'
import { common } from '../text/common.ts'
import { poolBox } from '../text/pool-box.ts'
import { problem } from '../text/problem.ts'

type Key = Schemas['Key']
type NewKey = Schemas['NewKey']

const DAY = 86_400_000
const DAYS = { never: null, month: 30, year: 365 }

const madeKey = async () => (await import('./made-key.tsx')).MadeKey

/** Lists the keys with which apps act for the user, makes and ends them. */
export function Keys() {
  const words = appKeys()
  const { data, error, reload } = useResource((signal) =>
    ask(api.GET('/api/v1/auth/keys', { signal })),
  )
  const isMaking = useSignal(false)
  const made = useSignal<NewKey | null>(null)
  const ending = useSignal<Key | null>(null)
  return (
    <section class="card">
      <div class="line">
        <h2 class="rest">{words.title}</h2>
        <button
          type="button"
          class="btn"
          onClick={() => {
            isMaking.value = true
          }}
        >
          <Icon of={Plus} />
          {words.make}
        </button>
      </div>
      <p class="muted small">{words.hint}</p>
      {error.value && <p role="alert">{problem(error.value)}</p>}
      <ul class="sessions">
        {data.value?.items.map((key) => (
          <KeyLine
            key={key.id}
            of={key}
            end={() => {
              ending.value = key
            }}
          />
        ))}
      </ul>
      {isMaking.value && (
        <MakeKey
          onClose={() => {
            isMaking.value = false
          }}
          onMade={(key) => {
            isMaking.value = false
            made.value = key
            void reload()
          }}
        />
      )}
      {made.value && (
        <OnDemand
          load={madeKey}
          made={made.value}
          onClose={() => {
            made.value = null
          }}
        />
      )}
      {ending.value && (
        <EndKey
          of={ending.value}
          onClose={() => {
            ending.value = null
            void reload()
          }}
        />
      )}
    </section>
  )
}

function KeyLine({ of, end }: { of: Key; end(): void }) {
  const { name, scope, pool_id, folder_tags, last_use, expires_at } = of
  const words = appKeys()
  const pool = pool_id && pools.value.find(({ id }) => id === pool_id)
  const into = pool ? [`${poolBox().pool} ${pool.name}`] : []
  const tagged = folder_tags ? [words.folderTags] : []
  const ends = expires_at === null ? [] : [words.until(when(expires_at))]
  const used = last_use === null ? words.unused : words.used(when(last_use))
  return (
    <li class="line">
      <div class="rest">
        {name}
        <p class="muted small num">
          {[words.scopes[scope], ...into, ...tagged, used, ...ends].join(' · ')}
        </p>
      </div>
      <button type="button" class="btn" aria-label={words.endOf(name)} onClick={end}>
        {words.end}
      </button>
    </li>
  )
}

function EndKey({ of: { id, name }, onClose }: { of: Key; onClose(): void }) {
  const words = appKeys()
  const end = async () => {
    try {
      await act(api.DELETE('/api/v1/auth/keys/{key_id}', { params: { path: { key_id: id } } }))
      toast({ text: words.ended(name) })
    } catch (reason) {
      // It was over already.
      if (!(reason instanceof ApiError && reason.status === 404)) complain(reason)
    }
    onClose()
  }
  return (
    <Sure
      title={words.endQuestion(name)}
      text={words.endWarning}
      act={words.end}
      onClose={onClose}
      onSure={() => void end()}
    />
  )
}

function MakeKey({ onClose, onMade }: { onClose(): void; onMade(key: NewKey): void }) {
  const words = appKeys()
  const name = useSignal('')
  const scope = useSignal<Key['scope']>('upload')
  const end = useSignal<keyof typeof DAYS>('never')
  const pool = useSignal<Pool | null>(null)
  const hasFolderTags = useSignal(false)
  const { admin, ...others } = words.scopes
  const scopes = session.value!.user.is_admin ? words.scopes : others
  const send = async () => {
    const days = DAYS[end.value]
    const expires_at = days === null ? null : new Date(Date.now() + days * DAY).toISOString()
    const toUpload = { pool_id: pool.value?.id ?? null, folder_tags: hasFolderTags.value }
    const own = scope.value === 'upload' ? toUpload : {}
    const body = { name: name.value, scope: scope.value, expires_at, ...own }
    onMade((await act(api.POST('/api/v1/auth/keys', { body }))).data)
  }
  const { submit, isBusy, complaint } = useSubmit(send, { 409: words.tooMany })
  return (
    <Dialog
      title={words.make}
      onClose={onClose}
      onSubmit={() => void submit()}
      footer={
        <>
          <button type="button" class="btn" onClick={onClose}>
            {common().cancel}
          </button>
          <button type="submit" class="btn primary" disabled={isBusy}>
            {words.make}
          </button>
        </>
      }
    >
      <label class="field">
        <span>{words.name}</span>
        <input
          class="input"
          autocomplete="off"
          required
          autofocus
          maxLength={64}
          placeholder={words.example}
          value={name}
          onInput={({ currentTarget }) => {
            name.value = currentTarget.value
          }}
        />
      </label>
      <Choice
        label={words.scope}
        hint={words.scopeHints[scope.value]}
        value={scope}
        options={scopes as typeof words.scopes}
      />
      {scope.value === 'upload' && <WithNewFiles pool={pool} hasFolderTags={hasFolderTags} />}
      <Choice label={words.ends} value={end} options={words.endings} />
      <p class="complaint" role="alert">
        {complaint}
      </p>
    </Dialog>
  )
}

interface WithNewFilesProps {
  pool: Signal<Pool | null>
  hasFolderTags: Signal<boolean>
}

/** Chooses what happens with the files that a key adds. */
function WithNewFiles({ pool, hasFolderTags }: WithNewFilesProps) {
  const words = appKeys()
  const chosen = pool.value
  return (
    <>
      <fieldset class="choice">
        <legend>{words.into}</legend>
        {chosen ? (
          <div class="chips">
            <Chip
              removeLabel={poolBox().leaveOut(chosen.name)}
              onRemove={() => {
                pool.value = null
              }}
            >
              <Icon of={Layers} />
              <span>{chosen.name}</span>
            </Chip>
          </div>
        ) : (
          <PoolBox
            onPick={(picked) => {
              pool.value = picked
            }}
          />
        )}
      </fieldset>
      <Switch
        label={words.folderTags}
        hint={words.folderTagsHint}
        isOn={hasFolderTags.value}
        onChange={(isOn) => {
          hasFolderTags.value = isOn
        }}
      />
    </>
  )
}
