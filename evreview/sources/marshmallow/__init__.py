"""marshmallow schemas, and where Flask-Smorest, webargs and `load` use them."""
