/** The question marks of a statement, and quoted texts, in which they are none. */
const MARKS = /\?|'(?:[^']|'')*'|"(?:[^"]|"")*"/g

/**
 * Returns the statement so that SQLite plans it once. Where a value may matter for the plan, SQLite plans
 * anew after each binding (https://sqlite.org/c3ref/prepare.html), which takes 10 µs for each join or
 * limit: a plus, which changes no value, hides it. What a partial index asks for is thus to be in the text.
 */
export function plannedOnce(sql: string): string {
  return sql.replace(MARKS, (mark) => (mark === '?' ? '+?' : mark))
}
