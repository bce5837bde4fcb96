export const views = { title: 'Views', rows: [] }
