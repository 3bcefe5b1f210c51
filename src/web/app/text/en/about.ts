/** What stands on the screen about the product. */
export const en = {
  title: 'About',
  summary: 'A home of your own for the family’s pictures and films, found by their tags.',
  version: (version: string) => `Version ${version}`,
  runsOn: 'Runs on',
  files: 'Files',
  space: 'Space',
  taken: (taken: string) => `${taken} taken`,
  takenAndFree: (taken: string, free: string) => `${taken} taken, ${free} free`,
  underWay: 'In the making',
  jobs: (jobs: string) => `${jobs} pictures to be read`,
  notHere: 'Not here',
  missing: 'Place names, faces, automatic upload from phones.',
  forProgrammers: 'For programmers',
  docs: 'The API, explained',
  document: 'The API, for programs',
  health: 'Is the server well?',
}
