import { BulkBar } from '../bulk/index.ts'
import { FilterBar, isFiltered, NothingMatches, sentence } from '../filter/index.ts'
import { Grid } from '../grid/index.ts'
import { filter } from '../text/filter.ts'

/** The pictures and films of the listing of the address. */
export function Photos() {
  return (
    <>
      <FilterBar />
      <Grid
        label={filter().heading(sentence.value)}
        {...(isFiltered.value && { empty: <NothingMatches /> })}
      />
      <BulkBar />
    </>
  )
}
