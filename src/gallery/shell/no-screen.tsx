import { noScreen } from '../text/no-screen.ts'

/** Says that there is nothing at the address. */
export function NoScreen() {
  const words = noScreen()
  return (
    <div class="void">
      <h1>{words.nothing}</h1>
      <a class="btn" href="/">
        {words.toPhotos}
      </a>
    </div>
  )
}
