// Nothing is fetched from other hosts, and the token stays in this page's memory.
SwaggerUIBundle({
    url: "/openapi.json",
    dom_id: "#page",
    validatorUrl: null,
    persistAuthorization: false,
    deepLinking: true,
});
