// The style of the page's modules, for `make js`; TypeScript checks names and types.
export default [
  {
    files: ["src/meeple/**/*.js"],
    ignores: ["**/vendor/**"],
    rules: {
      "eqeqeq": "error",
      "no-else-return": "error",
      "no-empty": ["error", { allowEmptyCatch: false }],
      "no-unused-vars": ["error", { argsIgnorePattern: "^_", caughtErrors: "none" }],
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-arrow-callback": "error",
      "prefer-const": "error",
      "max-len": ["error", { code: 110 }],
    },
  },
];
