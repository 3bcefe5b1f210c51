// Also matches quoted text, in which a question mark is no parameter.
const MARKS = /\?|'(?:[^']|'')*'|"(?:[^"]|"")*"/g

/**
 * Returns the statement in a form that SQLite plans only once. Where a bound value may matter for the plan, SQLite
 * plans again after each binding (https://sqlite.org/c3ref/prepare.html), and the cost grows with the number of joins
 * and limits. A plus, which changes no value, hides the parameter. Conditions of a partial index must therefore be in
 * the text.
 */
export function plannedOnce(sql: string): string {
  return sql.replace(MARKS, (mark) => (mark === '?' ? '+?' : mark))
}
