export default { rootDir: '.', testMatch: ['**/jest.test.js'], transform: {} }
