import { useComputed, useSignal } from '@preact/signals'
import { Tag as TagIcon } from 'lucide'
import type { RefObject } from 'preact'
import { number } from '../base/format.ts'
import { Dot } from '../parts/chip.tsx'
import { Combobox } from '../parts/combobox.tsx'
import { Icon } from '../parts/icon.tsx'
import { tagBox } from '../text/tag-box.ts'
import { NewTag } from './create.tsx'
import { alsoAdded } from './edits.ts'
import { findTags, type Match, tagNamed } from './match.ts'
import {
  areFilesCounted,
  areTagsLoaded,
  colorOf,
  filesOf,
  follows,
  prepareTags,
  recent,
  type Tag,
  tagIndex,
  tagsById,
} from './tags.ts'

interface TagBoxProps {
  /** Which keys the box leaves to its surroundings while it is empty. */
  sharesKeys?: 'all' | 'undo'
  input?: RefObject<HTMLInputElement | null>
  /** Tags that the files already have. */
  present: ReadonlySet<string>
  onPick(id: string): void
  /** Called on Escape, with nothing typed. */
  onLeave(): void
}

const MOST = 8

/** A box that finds a tag by a few letters, and shows the tags that rules add; or creates one. */
export function TagBox({ sharesKeys = 'undo', input, present, onPick, onLeave }: TagBoxProps) {
  const words = tagBox()
  const text = useSignal('')
  // The name of the tag that is being created.
  const created = useSignal<string | null>(null)
  // Until all tags are loaded, a name may belong to one of them. Before typing begins, they are not
  // prepared for searching either.
  const isNew = useComputed(
    () => text.value !== '' && areTagsLoaded.value && tagNamed(tagIndex.value, text.value) === null,
  )

  if (created.value !== null) {
    const close = () => {
      created.value = null
      requestAnimationFrame(() => input?.current?.focus())
    }
    return (
      <NewTag
        name={created.value}
        onCreated={(tag) => {
          onPick(tag.id)
          close()
        }}
        onLeave={close}
      />
    )
  }
  return (
    <div class="combo" data-shares-keys={sharesKeys}>
      <Icon of={TagIcon} />
      <Combobox<Match<Tag>>
        label={words.addTag}
        placeholder={words.addTag}
        {...(input && { input })}
        text={text}
        isReady={areTagsLoaded.value}
        prepare={prepareTags}
        match={(typed) => findTags(tagIndex.value, typed, MOST, recent.value.used)}
        keyOf={({ tag }) => tag.id}
        show={(match) => <Hit {...match} isPresent={present.has(match.tag.id)} />}
        below={({ tag }) => <Along id={tag.id} present={present} />}
        onPick={({ tag }) => onPick(tag.id)}
        {...(isNew.value && {
          create: {
            show: (name: string) => <Create name={name} />,
            act: (name: string) => {
              created.value = name
            },
          },
        })}
        onKey={(event) => {
          if (event.key !== 'Escape' || text.value !== '') return false
          event.preventDefault()
          event.stopPropagation()
          onLeave()
          return true
        }}
      />
    </div>
  )
}

function Create({ name }: { name: string }) {
  return (
    <>
      <span class="rest">{tagBox().create(name)}</span>
      <kbd>⇧ ↵</kbd>
    </>
  )
}

function Hit({ tag, parts, isPresent }: Match<Tag> & { isPresent: boolean }) {
  const words = tagBox()
  return (
    <>
      <Dot color={colorOf(tag)} />
      <Marked name={tag.name} parts={parts} />
      <span class="n">
        {isPresent ? words.present : areFilesCounted.value && number(filesOf(tag.id))}
      </span>
    </>
  )
}

function Along({ id, present }: { id: string; present: ReadonlySet<string> }) {
  const names = alsoAdded(follows.value, [id], present).flatMap(
    (then) => tagsById.value.get(then)?.name ?? [],
  )
  if (names.length === 0) return null
  return (
    <>
      {tagBox().alsoAdds}{' '}
      {names.map((name, index) => (
        <>
          {index > 0 && ', '}
          <b>{name}</b>
        </>
      ))}
    </>
  )
}

/** Shows a name with the matching parts in bold. */
export function Marked({ name, parts }: { name: string; parts: [number, number][] }) {
  const pieces = parts.map(([start, end], index) => (
    <>
      {name.slice(parts[index - 1]?.[1] ?? 0, start)}
      <b>{name.slice(start, end)}</b>
    </>
  ))
  return (
    <span class="marked">
      {pieces}
      {name.slice(parts.at(-1)?.[1] ?? 0)}
    </span>
  )
}
