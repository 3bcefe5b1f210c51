import { Switch } from '../parts/switch.tsx'
import { imports as text } from '../text/import.ts'
import { CHOICES, choices } from './choices.ts'

/** The switches of the next import. */
export function Options() {
  const { options } = text()
  return CHOICES.map((name) => (
    <Switch
      key={name}
      {...options[name]}
      isOn={choices.value[name] ?? false}
      onChange={(isOn) => {
        choices.value = { ...choices.peek(), [name]: isOn }
      }}
    />
  ))
}
