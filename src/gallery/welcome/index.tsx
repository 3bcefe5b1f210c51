import { useComputed, useSignal } from '@preact/signals'
import { Check } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { api, ask } from '../base/api.ts'
import { firstHour } from '../base/preferences.ts'
import { useResource } from '../base/resource.ts'
import { session } from '../base/session.ts'
import { settled } from '../base/settled.ts'
import { files } from '../grid/index.ts'
import { Icon } from '../parts/icon.tsx'
import { tags } from '../tag-box/index.ts'
import { welcome } from '../text/welcome.ts'
import { afterSteps, readProgress, STEPS, type Step } from './steps.ts'

interface WelcomeProps {
  upload: ComponentChildren
  onChangePassword(): void
}

/** Greets the admin of an empty library, until each step is done or skipped. */
export function Welcome({ upload, onChangePassword }: WelcomeProps) {
  const words = welcome()
  const { skipped, done } = useProgress()
  const stepOf = (step: Step, hint: string, button: ComponentChildren) => (
    <StepLine
      key={step}
      name={words[step]}
      isDone={done.includes(step)}
      isSkipped={skipped.includes(step)}
      hint={hint}
      onSkip={() => {
        firstHour.value = afterSteps([...skipped, step], done)
      }}
    >
      {button}
    </StepLine>
  )
  const count = files.total.value ?? 0
  const isOpen = useSignal(false)
  const hello = <h2 id="hello">{words.hello(session.value!.user.name)}</h2>
  if (count > 0 && !isOpen.value) {
    const left = STEPS.filter((step) => !skipped.includes(step) && !done.includes(step)).length
    return (
      <section class="hello one" aria-labelledby="hello">
        {hello}
        <button
          type="button"
          class="link"
          onClick={() => {
            isOpen.value = true
          }}
        >
          {words.stepsLeft(left)}
        </button>
      </section>
    )
  }
  const isTouch = matchMedia('(pointer: coarse)').matches
  const how = isTouch ? words.chooseHere : words.dropHere
  return (
    <section class="hello" aria-labelledby="hello">
      {hello}
      <p class="muted">{words.intro}</p>
      <ol class="steps">
        {stepOf('pictures', count > 0 ? words.areIn(count) : how, upload)}
        {stepOf(
          'tags',
          words.tagsHint,
          <a class="btn" href="/tags">
            {words.newTag}
          </a>,
        )}
        {stepOf(
          'people',
          words.peopleHint,
          <a class="btn" href="/keep/users">
            {words.invite}
          </a>,
        )}
      </ol>
      <p class="small muted">
        {words.password}{' '}
        <button type="button" class="link" onClick={onChangePassword}>
          {words.changePassword}
        </button>
      </p>
    </section>
  )
}

/** Returns the skipped steps and those that are done, and stores them. */
function useProgress(): { skipped: readonly Step[]; done: readonly Step[] } {
  const people = useResource((signal) => {
    void settled.value
    return ask(api.GET('/api/v1/people', { signal }))
  })
  const { skipped } = readProgress(firstHour.value)
  const done = useComputed(() => {
    const steps: Step[] = []
    if ((files.total.value ?? 0) > 0) steps.push('pictures')
    if (tags.value.length > 0) steps.push('tags')
    if ((people.data.value?.length ?? 0) > 1) steps.push('people')
    return steps
  }).value
  useEffect(() => {
    firstHour.value = afterSteps(skipped, done)
  }, [done])
  return { skipped, done }
}

interface StepLineProps {
  name: string
  hint: string
  isDone: boolean
  isSkipped: boolean
  onSkip(): void
  children: ComponentChildren
}

function StepLine({ name, hint, isDone, isSkipped, onSkip, children }: StepLineProps) {
  const words = welcome()
  if (isSkipped && !isDone) return null
  return (
    <li>
      <span class={isDone ? 'face' : 'face todo'} aria-hidden="true">
        {isDone && <Icon of={Check} />}
      </span>
      <div class="rest">
        <b>{name}</b>
        {isDone && <span class="hidden">, {words.done}</span>}
        <p class="muted small">{hint}</p>
      </div>
      {!isDone && (
        <>
          {children}
          <button
            type="button"
            class="btn quiet"
            aria-label={words.skipStep(name)}
            onClick={onSkip}
          >
            {words.skip}
          </button>
        </>
      )}
    </li>
  )
}
