/** Shows the product's logo and name. */
export function Mark() {
  return (
    <span class="mark">
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d="M3 11 12 3l9 8v10H3z" />
        <path d="M8 21v-6l4-3 4 3v6" />
      </svg>
      Tagstead
    </span>
  )
}
