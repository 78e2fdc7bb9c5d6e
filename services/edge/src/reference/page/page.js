/* global SwaggerUIBundle */
const dark = matchMedia('(prefers-color-scheme: dark)');
const takeColours = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
takeColours();
dark.addEventListener('change', takeColours);

SwaggerUIBundle({
  url: '/openapi.json',
  domNode: document.getElementById('reference'),
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  persistAuthorization: false,
  // The badge would ask another host to judge the document.
  validatorUrl: null,
});
